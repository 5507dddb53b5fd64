import { logoPicture } from "~/features/pdf/logo-picture.server";
import { streamOf, writePdf } from "~/features/pdf/write-pdf.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { type Download, download } from "~/platform/responses.server";
import { composeLetter, letterDocument } from "./compose-letter";
import { withPresent } from "./draft-letters.server";
import type { LetterFacts, LetterText, SignedLetter } from "./model";
import { findLetter, listRecipients, type StoredLetter } from "./queries.server";

/** A draft comes with what holds now, as it would be released. */
export async function findForStaff(
  { db }: Pick<Ctx, "db">,
  id: string,
): Promise<{ stored: StoredLetter; recipients: string[] } | null> {
  const stored = await findLetter(db, id);
  if (!stored || stored.released) return stored && { stored, recipients: [] };
  const { organizationId } = stored;
  const [facts, recipients] = await Promise.all([
    withPresent(db, organizationId, stored.facts),
    listRecipients(db, organizationId),
  ]);
  return {
    stored: { ...stored, facts, words: explainedText(stored.words, facts) },
    recipients: recipients.map(({ name }) => name),
  };
}

/** What staff said on the tickets stands as reasons until the draft is saved: what somebody has taken out stays out. */
const explainedText = ({ sentences, reasons }: LetterText, { misses }: LetterFacts): LetterText => ({
  sentences,
  reasons: misses.map(({ explained }, index) => reasons[index] ?? explained ?? ""),
});

const isAsReleased = ({ json, hash }: NonNullable<StoredLetter["released"]>): boolean => fingerprintOf(json) === hash;

/** A draft is composed as it would be released now. Throws if what is kept was changed. */
export function letterAsRead(
  stored: StoredLetter,
  { signedBy, now }: { signedBy: string; now: Instant },
): SignedLetter {
  const { facts, words, released } = stored;
  if (!released) return { letter: composeLetter(facts, words, now), signedBy };
  if (!isAsReleased(released)) throw new Error(`The letter ${stored.id} is not what was released`);
  return { letter: released.letter, signedBy: released.by };
}

async function writeLetter(ctx: Ctx, letter: SignedLetter, stored: StoredLetter) {
  const brand = await effectiveBrand(ctx);
  const picture = await logoPicture(ctx, brand.logo);
  return writePdf(letterDocument(letter, { brand, picture, createdAt: stored.released?.at ?? ctx.now() }));
}

export const countPages = async (ctx: Ctx, letter: SignedLetter, stored: StoredLetter): Promise<number> =>
  (await writeLetter(ctx, letter, stored)).pages;

/** Null if what is kept was changed. */
export async function letterPdf(ctx: Ctx, stored: StoredLetter): Promise<Uint8Array | null> {
  if (stored.released && !isAsReleased(stored.released)) return null;
  const signed = letterAsRead(stored, { signedBy: stored.released?.by ?? "", now: ctx.now() });
  return (await writeLetter(ctx, signed, stored)).bytes;
}

export async function letterFile(ctx: Ctx, stored: StoredLetter, signedBy: string): Promise<Download> {
  const signed = letterAsRead(stored, { signedBy, now: ctx.now() });
  const { bytes } = await writeLetter(ctx, signed, stored);
  return download({
    fileName: `letter-${signed.letter.month}.pdf`,
    contentType: "application/pdf",
    size: bytes.length,
    content: streamOf(bytes),
  });
}

import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { authTokens } from "~/db/schema/sessions";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { MAIL_KINDS, type MailData } from "~/features/mail/kinds";
import { MFA_RECOVERY_PATH, PASSWORD_RESET_PATH, VERIFY_EMAIL_PATH, withParams } from "~/lib/addresses";
import { type Duration, days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { isLinkToken, type LinkPurpose, linkTokenOf, type OpenedLink, setLinkCookie } from "~/platform/cookies.server";
import { fingerprintOf, hashToken } from "~/platform/crypto.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limits.server";
import { redirectWithin } from "~/platform/responses.server";

type LinkRule = {
  path: string;
  lifetime: Duration;
  /** One more ends the oldest. Null: each works for its lifetime. */
  maxOpen: number | null;
};

const LINKS: Record<LinkPurpose, LinkRule> = {
  verify_email: { path: VERIFY_EMAIL_PATH, lifetime: MAIL_KINDS["email-confirmation"].linkLifetime, maxOpen: 3 },
  reset: { path: PASSWORD_RESET_PATH, lifetime: MAIL_KINDS["password-reset"].linkLifetime, maxOpen: 3 },
  email_change: { path: "/email-change", lifetime: MAIL_KINDS["email-change-confirmation"].linkLifetime, maxOpen: 1 },
  email_undo: { path: "/email-change?undo=1", lifetime: hours(72), maxOpen: null },
  not_me: { path: "/not-me", lifetime: days(7), maxOpen: 20 },
  mfa_setup: { path: MFA_RECOVERY_PATH, lifetime: MAIL_KINDS["factor-reset"].linkLifetime, maxOpen: 1 },
};

type LinkOwner = {
  userId: string;
  email: string;
};

export function prepareLink(
  ctx: Pick<Ctx, "db" | "now" | "newToken">,
  purpose: LinkPurpose,
  { userId, email }: LinkOwner,
): { path: string; token: string; statements: Statement[] } {
  const { path, lifetime, maxOpen } = LINKS[purpose];
  const token = ctx.newToken();
  const now = ctx.now();
  const link = { id_hash: hashToken(token), purpose, user_id: userId, email };
  const store = ctx.db.insert(authTokens).values({ ...link, created_at: now, expires_at: now + lifetime });
  const prepared = { path: withParams(path, { token }), token };
  if (maxOpen === null) return { ...prepared, statements: [store] };
  const surplus = ctx.db
    .update(authTokens)
    .set({ consumed_at: now })
    .where(
      sql`${authTokens.user_id} = ${userId} and ${authTokens.purpose} = ${purpose} and ${authTokens.consumed_at} is null
        and ${authTokens.id_hash} not in (select id_hash from auth_tokens where user_id = ${userId}
          and purpose = ${purpose} and consumed_at is null order by created_at desc, rowid desc limit ${maxOpen})`,
    );
  return { ...prepared, statements: [store, surplus] };
}

/**
 * In the URL it would stay in the history and be a referrer. Only a form consumes it: scanners of mails open links too.
 */
export function moveTokenToCookie(ctx: Pick<Ctx, "request" | "setCookie">, purpose: OpenedLink): void {
  const { pathname, searchParams } = ctx.request.url;
  const token = searchParams.get("token");
  if (token === null) return;
  if (isLinkToken(token)) setLinkCookie(ctx, purpose, token);
  const rest = new URLSearchParams(searchParams);
  rest.delete("token");
  throw redirectWithin(rest.size > 0 ? `${pathname}?${rest}` : pathname);
}

export type OpenLink = LinkOwner & { tokenHash: string };

/** Tells links apart in a form: the cookie has only the link that was opened last, perhaps in another tab. */
export const linkMark = ({ userId, email }: LinkOwner): string => fingerprintOf(`${userId} ${email}`);

/** `invalid`: none was opened, or it is unknown, used, replaced by newer ones or expired. */
type LinkLookup =
  | { kind: "open"; link: OpenLink }
  | { kind: "invalid" }
  | { kind: "other" }
  /** Too many links that do not work came from the network, or this one of the account is tried again and again. */
  | { kind: "blocked"; retryAt: Instant };

/**
 * Attempts are counted per network first and given back where the link works. A link that is over never blocks one that
 * works: an old link must not lock its owner out.
 */
export async function lookUpLink(
  ctx: Pick<Ctx, "after" | "db" | "now" | "request">,
  purpose: LinkPurpose,
  shownMark?: string,
): Promise<LinkLookup> {
  const token = linkTokenOf(ctx, purpose);
  if (!token) return { kind: "invalid" };
  const tokenHash = hashToken(token);
  const { network } = ctx.request;
  const [limit, [row]] = await Promise.all([
    takeLimit(ctx.db, "link_ip", network, ctx.now()),
    ctx.db
      .select({
        userId: authTokens.user_id,
        email: authTokens.email,
        isOpen: sql<number>`${openLink(ctx, purpose, tokenHash)}`.as("is_open"),
      })
      .from(authTokens)
      .where(eq(authTokens.id_hash, tokenHash))
      .limit(1),
  ]);
  if (!limit.allowed) return { kind: "blocked", retryAt: limit.retryAt };
  if (row?.isOpen) {
    ctx.after(commit(ctx.db, [giveBackLimit(ctx.db, "link_ip", network)]));
    const link = { userId: row.userId, email: row.email, tokenHash };
    return shownMark === undefined || shownMark === linkMark(link) ? { kind: "open", link } : { kind: "other" };
  }
  const own = row ? await takeLimit(ctx.db, "link_user", row.userId, ctx.now()) : limit;
  return own.allowed ? { kind: "invalid" } : { kind: "blocked", retryAt: own.retryAt };
}

export async function findLink(...lookup: Parameters<typeof lookUpLink>): Promise<OpenLink | null> {
  const found = await lookUpLink(...lookup);
  return found.kind === "open" ? found.link : null;
}

/** Returns the statements that consume the link: of several batches with the same link only one is committed. */
export const consumeLink = (ctx: Pick<Ctx, "db" | "now">, purpose: LinkPurpose, tokenHash: string): Statement[] => [
  ctx.db
    .update(authTokens)
    .set({ consumed_at: ctx.now() })
    .where(openLink(ctx, purpose, tokenHash)),
  expectChange(ctx.db),
];

export const voidLinks = (ctx: Pick<Ctx, "db" | "now">, userId: string, purposes: LinkPurpose[]): Statement =>
  ctx.db
    .update(authTokens)
    .set({ consumed_at: ctx.now() })
    .where(and(eq(authTokens.user_id, userId), inArray(authTokens.purpose, purposes), isNull(authTokens.consumed_at)));

const openLink = (ctx: Pick<Ctx, "now">, purpose: LinkPurpose, tokenHash: string) =>
  and(
    eq(authTokens.id_hash, tokenHash),
    eq(authTokens.purpose, purpose),
    isNull(authTokens.consumed_at),
    gt(authTokens.expires_at, ctx.now()),
  );

type SecurityMailKind = {
  [Kind in keyof MailData]: MailData[Kind] extends { notMePath: string } ? Kind : never;
}[keyof MailData];

/** For the batch of the change; the caller delivers the outbox. Its link ends all sessions. */
export function securityMail<Kind extends SecurityMailKind>(
  ctx: Ctx,
  owner: { userId: string; email: string },
  kind: Kind,
  data: Omit<MailData[Kind], "notMePath">,
): Statement[] {
  const link = prepareLink(ctx, "not_me", owner);
  const complete = { ...data, notMePath: link.path } as unknown as MailData[Kind];
  return [
    ...link.statements,
    enqueueMail(ctx, kind, { to: owner.email, about: { type: "user", id: owner.userId }, data: complete }),
  ];
}

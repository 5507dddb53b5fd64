import { generateKeyPairSync } from "node:crypto";
import { vi } from "vitest";
import type { inboundMail } from "~/db/schema/inbound-mail";
import type { TestContext } from "./context";
import { deliver, type MailOptions, rawMail } from "./inbound-mail";
import { signMail } from "./sign-mail";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const { privateKey: strangers } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

let selectors = 0;

type Signed = MailOptions & {
  /** Whose signature it bears; absent: that of the sender's domain. */
  domain?: string;
  isForged?: boolean;
  tags?: Record<string, string>;
};

/** Answers questions for keys as the name servers of every domain would; `isDown`: they do not. */
export function stubDns({ isDown = false } = {}): void {
  vi.stubGlobal("fetch", async () => {
    if (isDown) throw new Error("DNS is down");
    return Response.json({ Status: 0, Answer: [{ type: 16, data: `"${RECORD}"` }] });
  });
}

const addressOf = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from;

/** Returns a mail as it travels, signed with a key for which nobody has asked yet. */
export function signedMail({ domain, isForged = false, tags, ...options }: Signed): string {
  selectors += 1;
  const bytes = Buffer.from(rawMail(options)).toString("latin1");
  const signed = signMail(bytes, {
    key: isForged ? strangers : privateKey,
    domain: domain ?? addressOf(options.from).split("@")[1] ?? "",
    selector: `s${selectors}`,
    tags,
  });
  return Buffer.from(signed, "latin1").toString();
}

/** Receives a signed mail and returns its row once it has been processed. */
export async function signedMailIn(ctx: TestContext, options: Signed): Promise<typeof inboundMail.$inferSelect> {
  return deliver(ctx, signedMail(options), { from: addressOf(options.from), to: options.to });
}

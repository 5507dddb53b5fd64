import type { MailBrand } from "../model";
import type { Block } from "./compose";

/** Returns the headers by which mail programs offer to end this kind of mail with one click (RFC 8058). */
export const unsubscribeHeaders = ({ origin }: MailBrand, path: string | null): Record<string, string> =>
  path ? { "List-Unsubscribe": `<${origin}${path}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {};

/** Returns the same link for people. */
export const unsubscribeLink = ({ origin }: MailBrand, path: string | null): Block[] =>
  path ? [{ kind: "link", label: "No more mail of this kind", href: `${origin}${path}`, isQuiet: true }] : [];

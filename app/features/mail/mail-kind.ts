import * as z from "zod";
import type { Duration } from "~/lib/time";
import type { MailBrand, MailDraft } from "./compose";

export const Facts = z
  .array(z.object({ term: z.string(), detail: z.string() }))
  .readonly()
  .default([]);

export const Events = z.array(z.object({ sentence: z.string(), text: z.string().nullable() })).readonly();
export type MailedEvent = z.infer<typeof Events>[number];

/** Files that are sent with a mail: their keys, and what their reader sees of them. */
export const Attached = z.array(z.object({ key: z.string(), name: z.string(), type: z.string() })).readonly();

export const Text = z.string().nullable().default(null);

export type MailSubject = {
  noun: string;
  /** Such as `L-1001`. */
  number: string;
  staffUrl: string;
};

export type TemplateContext = {
  site: MailBrand;
  /** Throws when the subject was deleted, or for a kind without `quotesSubject`. */
  about: () => MailSubject;
};

type MailKindOf<Schema extends z.ZodType, Lifetime extends Duration | undefined> = {
  /** Reads what the outbox keeps. A worker of the version before may have written it, with fewer fields. */
  schema: Schema;
  /** 0: mail somebody is waiting for (reset, verification, invitation, security), sent before the rest. */
  priority: 0 | 1;
  /** How long the link in it works. A mail that could only bring a dead link is not sent any more. */
  linkLifetime?: Lifetime;
  /** Mail of priority 1 to a reader with quiet hours waits for their end, unless this is set. */
  ignoresQuietHours?: true;
  quotesSubject?: true;
  /** Pure: the same data always give the same mail, which a repeated send relies on. */
  template: (data: z.infer<Schema>, context: TemplateContext) => MailDraft;
};

export const mailKind = <Schema extends z.ZodType, Lifetime extends Duration | undefined = undefined>(
  kind: MailKindOf<Schema, Lifetime>,
) => kind as typeof kind & { linkLifetime: Lifetime };

export const keysOf = <Key extends string>(record: Record<Key, unknown>): Key[] => Object.keys(record) as Key[];

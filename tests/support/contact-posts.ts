import { CONTACT_PURPOSE } from "~/features/submissions/intake/actions.server";
import { action } from "~/routes/_site.contact";
import type { TestContext } from "./context";
import { agedToken, args, postMultipart } from "./requests";

/** Holds the fields of a complete contact form. */
export const CONTACT_FIELDS = {
  first_name: "Priya",
  last_name: "Raman",
  email: "priya@larkspur.example",
  phone: "",
  company: "",
  message: "Eleven laptops.",
  agreed_to_terms: "on",
  website: "",
};

export type ContactPost = {
  fields?: Record<string, string>;
  /** `null`: the form has none. Without it the form has one that is old enough. */
  token?: string | null;
  file?: { name: string; bytes: BlobPart };
};

/** Builds the post of the contact form, filled in. */
export function contactPost(ctx: TestContext, { fields = {}, token, file }: ContactPost = {}): Request {
  const form_token = token === undefined ? agedToken(ctx, CONTACT_PURPOSE) : token;
  const posted = { ...(form_token === null ? {} : { form_token }), ...CONTACT_FIELDS, ...fields };
  return postMultipart("/contact", posted, file && { field: "file", ...file });
}

export const sendContact = async (ctx: TestContext, sent?: ContactPost): Promise<Response> =>
  (await action(args(ctx, contactPost(ctx, sent)))) as Response;

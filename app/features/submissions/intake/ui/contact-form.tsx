import type { ReactNode } from "react";
import type { FieldErrors, FormValues, ValidationError } from "~/lib/form";
import { Checkbox } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { FileInput } from "~/ui/file-input";
import { Form, SubmitButton } from "~/ui/form";
import { EmailInput, Input } from "~/ui/input";
import { Textarea } from "~/ui/textarea";
import type { Attribution } from "../attribution";

type ContactFormProps = {
  token: string;
  values: FormValues;
  validationError: ValidationError | null;
  /** Holds the site key of the extra check against robots, where one is configured. */
  botCheckKey: string | null;
  /** Names the terms that are agreed to, signed. */
  terms: string;
  /** Tells what led here; it goes with the message. */
  attribution: Attribution;
  /** Holds what goes with the message and stands before the fields: the estimate of the pricing page. */
  enclosed?: ReactNode;
};

/** Asks for an assessment. Optional fields say so; the rest is asked for by the server, in its order and words. */
export function ContactForm({
  token,
  values,
  validationError,
  botCheckKey,
  terms,
  attribution,
  enclosed,
}: ContactFormProps) {
  const errors = validationError?.errors ?? {};
  return (
    <div>
      {validationError ? <ErrorSummary title={validationError.title} errors={errors} className="mb-7" /> : null}
      <Form action="/contact" encType="multipart/form-data" token={token} className="grid gap-6" reloadDocument>
        <Honeypot />
        <input type="hidden" name="terms_version" value={terms} />
        {attribution.source ? <input type="hidden" name="source" value={attribution.source} /> : null}
        {attribution.campaign ? <input type="hidden" name="campaign" value={attribution.campaign} /> : null}
        {enclosed}
        <Person values={values} errors={errors} />
        <Field
          name="message"
          label="Message"
          hint="Please don't include patient or card data."
          error={errors.message}
          optional
        >
          <Textarea defaultValue={values.message} />
        </Field>
        <Field name="file" label="Attachment" hint={fileHint(validationError !== null)} error={errors.file} optional>
          <FileInput accept=".pdf,.doc,.docx" />
        </Field>
        <Checkbox
          name="agreed_to_terms"
          label={
            <>
              I agree to the <a href="/terms">terms and conditions</a>
            </>
          }
          error={errors.agreed_to_terms}
          defaultChecked={values.agreed_to_terms === "on"}
        />
        {botCheckKey ? <BotCheck siteKey={botCheckKey} /> : null}
        <div>
          <SubmitButton pendingLabel="Submitting...">Send Message</SubmitButton>
        </div>
      </Form>
    </div>
  );
}

function Person({ values, errors }: { values: FormValues; errors: FieldErrors }) {
  const name = { autoCapitalize: "words", spellCheck: false };
  return (
    <>
      <div className="grid grid-cols-2 items-end gap-x-5 gap-y-6 max-md:grid-cols-1">
        <Field name="first_name" label="First name" error={errors.first_name}>
          <Input autoComplete="given-name" defaultValue={values.first_name} {...name} />
        </Field>
        <Field name="last_name" label="Last name" error={errors.last_name}>
          <Input autoComplete="family-name" defaultValue={values.last_name} {...name} />
        </Field>
      </div>
      <Field name="email" label="Email" error={errors.email}>
        <EmailInput autoComplete="email" defaultValue={values.email} />
      </Field>
      <div className="grid grid-cols-2 items-end gap-x-5 gap-y-6 max-md:grid-cols-1">
        <Field name="phone" label="Phone" error={errors.phone} optional>
          <Input type="tel" autoComplete="tel" defaultValue={values.phone} />
        </Field>
        <Field name="company" label="Company" error={errors.company} optional>
          <Input autoComplete="organization" defaultValue={values.company} />
        </Field>
      </div>
    </>
  );
}

/**
 * Returns the hint of the file field. A form that comes back says that the choice is gone: a browser never sends a
 * file twice. The script of the form keeps the choice, and takes that sentence away.
 */
const fileHint = (isBack: boolean) => (
  <>
    PDF or Word document (.pdf, .doc, .docx), at most 5 MB.
    {isBack ? <span data-file-gone=""> Choose the file again if you still want to attach it.</span> : null}
  </>
);

/** Hides a field from every person: it is off screen, out of the tab order and hidden from screen readers. */
function Honeypot() {
  return (
    <div className="absolute left-[-999rem]" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}

function BotCheck({ siteKey }: { siteKey: string }) {
  return (
    <>
      <script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer />
      <div className="cf-turnstile" data-sitekey={siteKey} data-action="contactSubmit" />
      <noscript>
        <p className="text-ink-2 text-sm">
          The automatic check needs JavaScript. Without it your message still reaches us; a person reviews it first.
        </p>
      </noscript>
    </>
  );
}

import type { ReactNode } from "react";
import { expectations } from "~/content/expectations";
import { EstimateCard } from "~/features/pricing/estimate-summary";
import type { SiteBrand } from "~/features/settings/brand";
import { mailtoHref } from "~/lib/email";
import type { FieldErrors, FormValues, ValidationError } from "~/lib/form";
import { LinkButton } from "~/ui/button";
import { Docket } from "~/ui/docket";
import { FactList } from "~/ui/fact-list";
import { Checkbox, EmailInput, ErrorSummary, Field, FileInput, Form, Input, SubmitButton, Textarea } from "~/ui/form";
import { Mono } from "~/ui/text";
import type { Attribution } from "../model";
import type { Receipt } from "./submit-contact.server";

type ContactFormProps = {
  token: string;
  values: FormValues;
  validationError: ValidationError | null;
  botCheckKey: string | null;
  terms: string;
  attribution: Attribution;
  /** Stands before the fields: the estimate of the pricing page. */
  enclosed?: ReactNode;
};

/** The server asks for required fields, in its order and words. */
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

/** A browser never sends a file twice. The script of the form keeps the choice, and takes that sentence away. */
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

type ExpectationsProps = {
  brand: Pick<SiteBrand, "address" | "phone" | "email" | "hours" | "planNames">;
  /** When the first step is taken at the latest. */
  replyBy?: string;
};

export function Expectations({ brand, replyBy }: ExpectationsProps) {
  return (
    <Docket id="expect" title="What to Expect" as="aside" hasCarbonCopy>
      <ol className="[counter-reset:step] *:*:col-start-2 *:grid *:grid-cols-[1.6rem_minmax(0,1fr)] *:gap-x-3 *:gap-y-1 *:border-line *:border-b *:px-in *:py-[0.85rem] *:leading-[1.4] *:before:font-bold *:before:text-brand *:before:content-[counter(step)] *:[counter-increment:step] [&_span]:text-ink-2">
        {expectations.map(({ title, text }, index) => (
          <li key={title}>
            <b>{title}</b>
            <span>{index === 0 && replyBy ? `By ${replyBy}` : text}</span>
          </li>
        ))}
      </ol>
      <address className="grid grid-cols-1 gap-[0.6rem] px-in pt-[1.1rem] pb-[1.4rem] not-italic">
        {brand.address.length > 0 ? (
          <span>
            {brand.address.map((line) => (
              <span className="block" key={line}>
                {line}
              </span>
            ))}
          </span>
        ) : null}
        {brand.phone ? <a href={brand.phone.href}>{brand.phone.display}</a> : null}
        <a href={mailtoHref(brand.email)}>{brand.email}</a>
        <span className="text-ink-2">
          {brand.hours ? `${brand.hours}. ` : null}24/7 support for {brand.planNames.core} and {brand.planNames.premium}{" "}
          clients.
        </span>
      </address>
    </Docket>
  );
}

export function SentReceipt({ receipt: { number, replyBy, estimate, isMailDelayed } }: { receipt: Receipt }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-6" aria-label="Your receipt">
      <FactList
        terms="long"
        facts={[
          { term: "Your reference", detail: <Mono>{number}</Mono> },
          { term: "We reply by", detail: <strong>{replyBy}</strong> },
        ]}
      />
      {estimate ? <EstimateCard estimate={estimate}>It was sent with your message.</EstimateCard> : null}
      <p className="text-ink-2">
        {isMailDelayed
          ? "A copy will come to your email address. Our mail is delayed right now, so it may take some hours."
          : "A copy is on its way to your email address. If it isn’t there in a few minutes, check your spam folder."}
      </p>
      <div>
        <LinkButton variant="quiet" to="/contact">
          Send another
        </LinkButton>
      </div>
    </section>
  );
}

import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { SitePage } from "~/features/site/ui/site-page";
import { CONTACT_PURPOSE } from "~/features/submissions/bot-check.server";
import { CONTACT_SENT } from "~/features/submissions/copy";
import { receiveContactForm } from "~/features/submissions/receive-contact-form.server";
import { CONTACT_SENT_LOCATION } from "~/features/submissions/submit-contact.server";
import { ContactForm } from "~/features/submissions/ui/contact-form";
import { Expectations } from "~/features/submissions/ui/expectations";
import { issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { Notice } from "~/ui/flash";

const TITLE = "Let's Talk About Your IT Needs";

export const meta: MetaFunction<typeof loader, Record<string, never>> = ({ matches }) => {
  const page = matches.find((match) => match.id === "routes/_site.contact");
  const prefix = page && "error" in page && page.error ? "Error: " : "";
  return [
    { title: `${prefix}${TITLE} | ${brand.name}` },
    { name: "description", content: "Ask for a free IT assessment. A person replies within 1 business day." },
  ];
};

export async function loader({ context }: LoaderFunctionArgs) {
  return json({
    token: issueFormToken(context, CONTACT_PURPOSE),
    sent: context.request.url.searchParams.get("sent") === "1",
    botCheckKey: context.config.TURNSTILE_SITE_KEY ?? null,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const outcome = await receiveContactForm(context, await readForm(request));
  if (outcome.ok) return redirect(CONTACT_SENT_LOCATION, 303);
  return json(outcome.refusal, { status: outcome.status, headers: outcome.headers });
}

export default function ContactPage() {
  const { token, sent, botCheckKey } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <SitePage
      title={TITLE}
      lead="Tell us what you have and what is getting in the way. The assessment is free and the reply comes from a person."
    >
      <div className="contact">
        <div>
          <div role="status">{sent && !refusal ? <Notice kind="success" {...CONTACT_SENT} /> : null}</div>
          <ContactForm
            token={refusal?.token ?? token}
            values={refusal?.values ?? {}}
            refusal={refusal ?? null}
            botCheckKey={botCheckKey}
          />
        </div>
        <Expectations brand={brand} />
      </div>
    </SitePage>
  );
}

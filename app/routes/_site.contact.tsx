import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { estimateFrom } from "~/features/pricing/stored-estimate.server";
import { CarriedEstimate } from "~/features/pricing/ui/estimate-summary";
import { useBrand } from "~/features/settings/ui/use-brand";
import { pageMeta } from "~/features/site/seo";
import { SitePage } from "~/features/site/ui/site-page";
import { CONTACT_SENT } from "~/features/submissions/copy";
import { CONTACT_PURPOSE } from "~/features/submissions/intake/bot-check.server";
import { originOf, sentOrigin } from "~/features/submissions/intake/origin";
import { receiveContactForm } from "~/features/submissions/intake/receive-contact-form.server";
import { CONTACT_SENT_LOCATION } from "~/features/submissions/intake/submit-contact.server";
import { ContactForm } from "~/features/submissions/intake/ui/contact-form";
import { Expectations } from "~/features/submissions/intake/ui/expectations";
import { formScript } from "~/generated/static-scripts";
import { issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { Columns } from "~/ui/columns";
import { Notice } from "~/ui/flash";

const TITLE = "Let's Talk About Your IT Needs";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  pageMeta(matches, {
    title: data?.refused ? `Error: ${TITLE}` : TITLE,
    description: "Ask for a free IT assessment. A person replies within 1 business day.",
    path: "/contact",
  });

export async function loader({ context }: LoaderFunctionArgs) {
  const { searchParams } = context.request.url;
  return json({
    token: issueFormToken(context, CONTACT_PURPOSE),
    sent: searchParams.get("sent") === "1",
    /** A post that was accepted has led elsewhere. */
    refused: context.request.method === "POST",
    estimate: estimateFrom(searchParams),
    origin: originOf(context.request.url, context.request.referrer),
    botCheckKey: context.config.TURNSTILE_SITE_KEY ?? null,
  });
}

/** When to come back, after too many attempts or an outage. */
export const headers: HeadersFunction = ({ actionHeaders }) => {
  const wait = actionHeaders.get("Retry-After");
  return new Headers(wait ? { "Retry-After": wait } : undefined);
};

export async function action({ context, request }: ActionFunctionArgs) {
  const outcome = await receiveContactForm(context, await readForm(request));
  if (outcome.ok) return redirect(CONTACT_SENT_LOCATION, 303);
  return json(outcome.refusal, { status: outcome.status, headers: outcome.headers });
}

export default function ContactPage() {
  const { token, sent, botCheckKey, ...page } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const estimate = refusal ? refusal.estimate : page.estimate;
  const origin = refusal ? sentOrigin(refusal.values) : page.origin;
  return (
    <SitePage
      title={TITLE}
      lead="Tell us what you have and what is getting in the way. The assessment is free and the reply comes from a person."
    >
      <Columns className="pb-band *:first:flex-[999_1_min(100%,30rem)] *:last:max-w-108 *:last:flex-[1_1_min(100%,20rem)]">
        <div className="*:max-w-176">
          <div role="status">
            {sent && !refusal ? <Notice kind="success" {...CONTACT_SENT} className="mb-5" /> : null}
          </div>
          <ContactForm
            token={refusal?.token ?? token}
            values={refusal?.values ?? {}}
            refusal={refusal ?? null}
            botCheckKey={botCheckKey}
            origin={origin}
            enclosed={estimate ? <CarriedEstimate estimate={estimate} /> : null}
          />
        </div>
        <Expectations brand={useBrand()} />
      </Columns>
      <script src={formScript} defer />
    </SitePage>
  );
}

import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { priceList } from "~/features/pricing/current-prices";
import { EnclosedEstimate } from "~/features/pricing/estimate-summary";
import { estimateFrom } from "~/features/pricing/stored-estimate.server";
import { useSiteBrand } from "~/features/settings/brand";
import { effectiveBrand } from "~/features/settings/queries.server";
import { pageMeta } from "~/features/site/seo";
import { SitePage } from "~/features/site/site-page";
import { CONTACT_PURPOSE, contactActions, shownTerms } from "~/features/submissions/intake/actions.server";
import { ContactForm, Expectations, SentReceipt } from "~/features/submissions/intake/contact-page";
import { findSentReceipt } from "~/features/submissions/intake/submit-contact.server";
import { CONTACT_SENT } from "~/features/submissions/labels";
import { attributionOf, sentAttribution } from "~/features/submissions/model";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { FormScript } from "~/ui/form-script-tag";
import { Columns, Notice } from "~/ui/page";

export { retryHeaders as headers } from "~/ui/form";

const TITLE = "Let's Talk About Your IT Needs";
const LEAD =
  "Tell us what you have and what is getting in the way. The assessment is free and the reply comes from a person.";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  pageMeta(matches, {
    title: data?.hasErrors ? `Error: ${TITLE}` : data?.sent ? CONTACT_SENT.title : TITLE,
    description: "Ask for a free IT assessment. A person replies within 1 business day.",
    path: "/contact",
  });

export async function loader({ context }: LoaderFunctionArgs) {
  const { searchParams } = context.request.url;
  const { prices } = await effectiveBrand(context);
  return json({
    token: issueFormToken(context, CONTACT_PURPOSE),
    sent: searchParams.get("sent") === "1" ? await findSentReceipt(context) : null,
    hasErrors: context.form.isRejected,
    estimate: estimateFrom(priceList(prices), searchParams),
    attribution: attributionOf(context.request.url, context.request.referrer),
    terms: await shownTerms(context),
    botCheckKey: context.config.TURNSTILE_SITE_KEY ?? null,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, contactActions, { actor: null, request, params: null });
}

export default function ContactPage() {
  const { token, sent, botCheckKey, ...page } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  const estimate = failed ? failed.estimate : page.estimate;
  const receipt = failed ? null : sent?.receipt;
  const attribution = failed ? sentAttribution(failed.values) : page.attribution;
  return (
    <SitePage title={TITLE} lead={receipt ? "We have your request, and a person will read it." : LEAD}>
      <Columns className="pb-band *:first:flex-[999_1_min(100%,30rem)] *:last:max-w-108 *:last:flex-[1_1_min(100%,20rem)]">
        <div id="contact-form" className="*:max-w-176">
          <div role="status">
            {sent && !failed ? <Notice kind="success" {...CONTACT_SENT} className="mb-5" /> : null}
          </div>
          {receipt ? (
            <SentReceipt receipt={receipt} />
          ) : (
            <ContactForm
              token={failed?.token ?? token}
              values={failed?.values ?? {}}
              validationError={failed ?? null}
              botCheckKey={botCheckKey}
              terms={failed?.values.terms_version ?? page.terms}
              attribution={attribution}
              enclosed={estimate ? <EnclosedEstimate estimate={estimate} /> : null}
            />
          )}
        </div>
        <Expectations brand={useSiteBrand()} replyBy={receipt?.replyBy} />
      </Columns>
      <FormScript />
    </SitePage>
  );
}

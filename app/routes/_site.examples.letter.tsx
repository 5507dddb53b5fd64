import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation } from "~/content/home";
import { LETTER_PATH, WholeLetter } from "~/features/site/exhibits";
import { pageMeta } from "~/features/site/seo";
import { InvitationBand } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "A monthly letter",
    description:
      "An example of the letter that our clients get each month: what we promised, kept and missed, and why.",
    path: LETTER_PATH,
  });

export default function ExampleLetterPage() {
  return (
    <>
      <WholeLetter />
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}

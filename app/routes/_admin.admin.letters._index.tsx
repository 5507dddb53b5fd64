import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { LETTERS_FAILED, NO_DRAFTS, NO_DRAFTS_HINT, NONE_RELEASED } from "~/features/letters/copy";
import { LETTERS_PATH, letterPath } from "~/features/letters/model";
import { listLetters } from "~/features/letters/queries.server";
import { LetterList } from "~/features/letters/ui/letter-list";
import { getSettings } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { keepingLoader } from "~/live/page-refresh";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Letters | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "letter.handle");
  const { searchParams } = context.request.url;
  const status = searchParams.get("status") === "released" ? "released" : "draft";
  const [page, { timeZone: zone }] = await Promise.all([
    readOrNull(context, "letters_failed", listLetters(context.db, status, searchParams.get("after"))),
    getSettings(context.db),
  ]);
  return json({ page, status, zone } as const);
}

const TABS = [
  { value: "draft", label: "Drafts", to: LETTERS_PATH },
  { value: "released", label: "Released", to: `${LETTERS_PATH}?status=released` },
];

export default function LettersPage() {
  const { page, status, zone } = useLoaderData<typeof loader>();
  const here = TABS.find(({ value }) => value === status)?.to ?? LETTERS_PATH;
  return (
    <Page title="Letters" description="How a month went, for each organization with a plan.">
      <LinkTabs label="Letters" items={TABS.map((tab) => ({ ...tab, current: tab.value === status }))} />
      {page ? (
        <LetterList
          title={status === "draft" ? "Drafts" : "Released"}
          letters={page.letters}
          pathOf={letterPath}
          zone={zone}
          next={page.next && `${LETTERS_PATH}?${new URLSearchParams({ status, after: page.next })}`}
          empty={{ title: status === "draft" ? NO_DRAFTS : NONE_RELEASED, body: NO_DRAFTS_HINT }}
        />
      ) : (
        <ErrorPanel message={LETTERS_FAILED} retryTo={here} />
      )}
    </Page>
  );
}

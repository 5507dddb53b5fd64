import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { LETTERS_FAILED, NO_OWN_LETTERS, NO_OWN_LETTERS_HINT } from "~/features/letters/copy";
import { CLIENT_LETTERS_PATH, clientLetterPath } from "~/features/letters/model";
import { listOwnLetters } from "~/features/letters/queries.server";
import { LetterList } from "~/features/letters/ui/letter-list";
import { getSettings } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { keepingLoader } from "~/live/page-refresh";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Letters | ${rootBrand(matches).name} Portal` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "letter.read");
  const after = context.request.url.searchParams.get("after");
  const [page, { timeZone: zone }] = await Promise.all([
    readOrNull(context, "letters_failed", listOwnLetters(context.db, membership.organizationId, after)),
    getSettings(context.db),
  ]);
  return json({ page, zone });
}

export default function OwnLettersPage() {
  const { page, zone } = useLoaderData<typeof loader>();
  return (
    <Page title="Letters">
      {page ? (
        <LetterList
          title="How each month went"
          letters={page.letters}
          pathOf={clientLetterPath}
          zone={zone}
          next={page.next && `${CLIENT_LETTERS_PATH}?${new URLSearchParams({ after: page.next })}`}
          empty={{ title: NO_OWN_LETTERS, body: NO_OWN_LETTERS_HINT }}
        />
      ) : (
        <ErrorPanel message={LETTERS_FAILED} retryTo={CLIENT_LETTERS_PATH} />
      )}
    </Page>
  );
}

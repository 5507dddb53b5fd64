import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { sendArchiveFile } from "~/features/archives/actions.server";
import { requireMember } from "~/features/auth/guards.server";
import { ARCHIVE_PATH } from "~/features/organization-settings/model";
import { respond } from "~/platform/respond.server";

export async function loader({ context, request }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "organization.archive");
  const id = context.request.url.searchParams.get("archive") ?? "";
  return respond(
    context,
    await sendArchiveFile(context, actor, {
      id,
      ability: "organization.archive",
      path: () => ARCHIVE_PATH,
      asked: request.headers,
    }),
  );
}

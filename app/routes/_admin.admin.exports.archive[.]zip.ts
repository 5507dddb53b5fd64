import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { sendArchiveFile } from "~/features/archives/actions.server";
import { staffArchivePath } from "~/features/archives/paths";
import { requireStaff } from "~/features/auth/guards.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context, request }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const id = context.request.url.searchParams.get("archive") ?? "";
  return respond(
    context,
    await sendArchiveFile(context, actor, {
      id,
      ability: "privacy.manage",
      path: staffArchivePath,
      asked: request.headers,
    }),
  );
}

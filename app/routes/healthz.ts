import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { checkHealth } from "~/features/health/system-status.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const { healthy, checks } = await checkHealth(context);
  return json(
    { status: healthy ? "ok" : "degraded", build: context.build, checks },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

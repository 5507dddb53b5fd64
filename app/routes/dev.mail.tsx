import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { CapturedMails } from "~/features/mail/captured-mails";
import { listCapturedMails } from "~/features/mail/queries.server";
import { isDeployed } from "~/platform/env.server";

export const meta: MetaFunction = () => [{ title: "Captured mail" }, { name: "robots", content: "noindex" }];

export async function loader({ context }: LoaderFunctionArgs) {
  if (isDeployed(context.config)) throw new Response(null, { status: 404 });
  const to = context.request.url.searchParams.get("to") || null;
  return json({ to, mails: await listCapturedMails(context.db, to) });
}

export default function CapturedMailPage() {
  const { to, mails } = useLoaderData<typeof loader>();
  return <CapturedMails to={to} mails={mails} />;
}

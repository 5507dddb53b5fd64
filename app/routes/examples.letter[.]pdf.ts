import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { exampleLetterFile } from "~/features/site/brand-files.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return exampleLetterFile(context);
}

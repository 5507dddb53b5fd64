import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { exampleLetterFile } from "~/features/site/brand-files.server";

export const loader = ({ context }: LoaderFunctionArgs) => exampleLetterFile(context);

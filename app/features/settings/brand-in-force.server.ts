import type { Brand } from "~/content/brand";
import type { Ctx } from "~/platform/context.server";
import { mergedBrand } from "./brand";
import { storedBrand } from "./forms.server";

/** What pages and mails say about the provider. From the display copy, so it costs no database and never fails. */
export async function brandInForce({ publishedSettings }: Pick<Ctx, "publishedSettings">): Promise<Brand> {
  return mergedBrand(storedBrand((await publishedSettings()).brand));
}

import type { Brand } from "~/content/brand";
import type { Ctx } from "~/platform/context.server";
import { mergedBrand } from "./brand";
import { storedBrand } from "./forms.server";

/**
 * Returns what pages and mails say about the provider: the published settings over the defaults. It costs no database
 * read and never fails.
 */
export async function effectiveBrand({ publishedSettings }: Pick<Ctx, "publishedSettings">): Promise<Brand> {
  return mergedBrand(storedBrand((await publishedSettings()).brand));
}

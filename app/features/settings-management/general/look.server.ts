import * as z from "zod";
import { LOGO_PATH } from "~/features/settings/address";
import { brandColors, LIGHT_SURFACE, MIN_CONTRAST } from "~/lib/brand-colors";
import { HEX_COLOR } from "~/lib/color";
import { settingsGroup } from "../group.server";
import { colorPreview, ratio } from "./color-preview.server";

/** Reads a colour as people write it: "#0F5A66", "0f5a66" or "#123". */
const color = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/^#?/, "#"))
  .transform((text) => (text === "#" ? "" : text.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")))
  .refine((text) => text === "" || HEX_COLOR.test(text), "Brand color: write six digits, such as #0f5a66");

/**
 * Groups the settings of how it looks: the colour of pages, mails, files and icons. The logo has a page of its own,
 * because it is a file.
 */
export const lookGroup = settingsGroup({
  text: "The color of buttons, links and bands: on all pages, in mails, files and icons.",
  fields: [
    {
      name: "brand_color",
      kind: "text",
      label: "Brand color",
      hint: "Six digits, such as #0f5a66. Leave empty for the default. Where it could not be read, the nearest that can is used.",
      optional: true,
    },
  ],
  keys: ["brandColor"],
  action: "settings.brand_changed",
  schema: z.object({ brand_color: color }),
  values: ({ brandColor }) => ({ brand_color: brandColor }),
  link: { label: "Change the logo", to: LOGO_PATH },
  preview: ({ brandColor }) => colorPreview(brandColor),
  apply: ({ brand_color }) => ({ brandColor: brand_color }),
  question: async (_ctx, _stored, { brandColor }) => {
    const { light, dark } = brandColors(brandColor).brand;
    if (brandColor === "" || light === brandColor) return null;
    return {
      text: `Text needs a contrast of ${MIN_CONTRAST}:1. ${brandColor} has ${ratio(brandColor, LIGHT_SURFACE)} on our pages, so buttons and links are ${light} in the light theme and ${dark} in the dark one.`,
      preview: colorPreview(brandColor),
      choices: [{ value: `use-${brandColor}`, label: "Save this" }],
    };
  },
});

import tailwind from "@tailwindcss/postcss";
import { lightDarkFallback } from "./scripts/lib/light-dark-fallback.mjs";

export default { plugins: [tailwind(), lightDarkFallback()] };

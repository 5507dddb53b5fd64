import tailwind from "@tailwindcss/postcss";

export default { plugins: [tailwind(), lightDarkFallback()] };

/** Matches the light half of a pair of colours: `light-dark(oklch(1 0 0), oklch(0.2 0 0))`. */
const PAIR = /^light-dark\((.+?\)),/;

/**
 * Creates a PostCSS plugin that gives every `light-dark()` pair of the theme a fallback: the light half alone, with the
 * pair behind a feature query. A browser without the function would otherwise ignore the whole declaration.
 */
function lightDarkFallback() {
  return {
    postcssPlugin: "light-dark-fallback",
    OnceExit(root, { AtRule, Rule }) {
      root.walkRules(/^:root,\s*:host$/, (rule) => {
        const pairs = new Rule({ selector: ":root", source: rule.source });
        rule.each((declaration) => {
          const light = PAIR.exec(declaration.value ?? "")?.[1];
          if (!light) return;
          pairs.append(declaration.clone());
          declaration.value = light;
        });
        if (!pairs.nodes?.length) return;
        const query = new AtRule({ name: "supports", params: "(color:light-dark(red,red))", source: rule.source });
        rule.after(query.append(pairs));
      });
    },
  };
}

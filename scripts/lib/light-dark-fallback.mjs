/** The light half of a pair of colours: `light-dark(oklch(1 0 0), oklch(0.2 0 0))`. */
const PAIR = /^light-dark\((.+?\)),/;

/**
 * PostCSS plugin. Lets every role that is a `light-dark()` pair begin with its light half, and puts the pairs behind a
 * feature query: a browser that does not know the function would otherwise take the whole declaration for invalid.
 */
export function lightDarkFallback() {
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

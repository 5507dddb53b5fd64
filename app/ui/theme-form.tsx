import { useLocation, useMatches } from "@remix-run/react";
import { rootTheme, THEMES, type Theme } from "~/lib/theme";
import { cx } from "./cx";
import { Field, Select, SubmitButton } from "./form";

const LABELS: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

/** Not a form of the router: the document itself carries the theme. `id` is where the reader comes back to. */
export function ThemeButtons({ id, isInMenu = false }: { id: string; isInMenu?: boolean }) {
  const current = rootTheme(useMatches());
  return (
    <form
      className={isInMenu ? "border-line border-b px-[0.9rem] py-1" : "md:ms-auto"}
      id={id}
      method="post"
      action="/theme"
    >
      <PagePath id={id} />
      <fieldset className="flex flex-wrap items-center">
        <legend className="float-left me-2">Theme</legend>
        {THEMES.map((theme) => (
          <button
            key={theme}
            className={cx(
              "rounded-2 border-0 border-current bg-transparent py-2 hover:underline aria-pressed:border aria-pressed:font-semibold max-md:min-h-tap",
              isInMenu ? "px-2 text-ink" : "px-3 text-on-deep",
            )}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === current}
          >
            {LABELS[theme]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}

/** `id` is the heading above, where the reader comes back to. */
export function ThemeForm({ id }: { id: string }) {
  return (
    <form method="post" action="/theme">
      <PagePath id={id} />
      <Field name="theme" id="chosen_theme" label="Theme">
        <Select
          defaultValue={rootTheme(useMatches())}
          options={THEMES.map((theme) => ({ value: theme, label: LABELS[theme] }))}
        />
      </Field>
      <SubmitButton>Save theme</SubmitButton>
    </form>
  );
}

/** Campaign parameters are left out, because pages are cached without them. */
function PagePath({ id }: { id: string }) {
  const { pathname, search } = useLocation();
  const names = [...new URLSearchParams(search).keys()];
  const query = names.every((name) => name.startsWith("utm_")) ? "" : search;
  return <input type="hidden" name="path" value={`${pathname}${query}#${id}`} />;
}

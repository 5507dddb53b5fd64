import * as z from "zod";
import { ownPagePath } from "~/lib/safe-path";
import { THEMES } from "~/lib/theme";
import { badRequest, done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { saveTheme } from "~/platform/theme.server";

const ThemeForm = z.object({ theme: z.enum(THEMES), path: z.string().optional() });

/** Handles the choice of theme, which is on every page. */
export const themeActions = formActions<null, { referrer: string | null }, never>({ intentField: null })({
  choose: {
    // The ingress checks have seen that the form is ours, and pages that are the same for everyone cannot hold a token.
    purpose: null,
    form: ThemeForm,
    invalid: badRequest,
    run: (ctx, _actor, { input, params }) => {
      saveTheme(ctx, input.theme);
      return done({
        to: ownPagePath(input.path, params.referrer),
        newDocument: true,
        // Prefetched and prerendered pages have the previous theme.
        clearSiteData: '"prefetchCache", "prerenderCache"',
      });
    },
  },
});

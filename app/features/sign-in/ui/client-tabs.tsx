import { CLIENT_SIGN_IN_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import { LinkTabs } from "~/ui/tabs";

/** Shows the tabs "Sign In" and "Create Account" of the client portal. */
export function ClientTabs({ current, redirectTo }: { current: "sign-in" | "create"; redirectTo: string | null }) {
  return (
    <div className="px-7 pt-[0.35rem] max-md:px-5">
      <LinkTabs
        label="Sign in or create an account"
        items={[
          { to: withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo), label: "Sign In", current: current === "sign-in" },
          {
            to: withRedirectTo(withParams(CLIENT_SIGN_IN_PATH, { tab: "create" }), redirectTo),
            label: "Create Account",
            current: current === "create",
          },
        ]}
      />
    </div>
  );
}

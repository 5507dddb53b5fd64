import { CLIENT_SIGN_IN_PATH, withParams } from "~/lib/addresses";
import { LinkTabs } from "~/ui/tabs";

/** Shows the tabs "Sign In" and "Create Account" of the client portal. */
export function ClientTabs({ current }: { current: "sign-in" | "create" }) {
  return (
    <div className="px-7 pt-[0.35rem] max-md:px-5">
      <LinkTabs
        label="Sign in or create an account"
        items={[
          { to: CLIENT_SIGN_IN_PATH, label: "Sign In", current: current === "sign-in" },
          {
            to: withParams(CLIENT_SIGN_IN_PATH, { tab: "create" }),
            label: "Create Account",
            current: current === "create",
          },
        ]}
      />
    </div>
  );
}

import { LinkTabs } from "~/ui/tabs";

/** The two ways into the client portal. */
export function ClientTabs({ current }: { current: "sign-in" | "create" }) {
  return (
    <div className="card-tabs">
      <LinkTabs
        label="Sign in or create an account"
        items={[
          { to: "/client/auth", label: "Sign In", current: current === "sign-in" },
          { to: "/client/auth?tab=create", label: "Create Account", current: current === "create" },
        ]}
      />
    </div>
  );
}

import { LinkTabs } from "~/ui/tabs";
import { SECURITY_TAB_LABELS } from "./labels";
import { MFA_PEOPLE_PATH, SECURITY_PATH } from "./model";

export function SecurityTabs({ tab }: { tab: keyof typeof SECURITY_TAB_LABELS }) {
  return (
    <LinkTabs
      scroll
      label="Security"
      items={[
        { to: SECURITY_PATH, label: SECURITY_TAB_LABELS.monitoring, current: tab === "monitoring" },
        { to: MFA_PEOPLE_PATH, label: SECURITY_TAB_LABELS.mfa, current: tab === "mfa" },
      ]}
    />
  );
}

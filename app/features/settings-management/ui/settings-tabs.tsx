import { LinkTabs } from "~/ui/tabs";

type Tab = { to: string; label: string; current: boolean };

type SettingsTabsProps = { tabs: readonly Tab[]; parts: readonly Tab[] };

/** Shows the tabs of the settings, and below them the parts of the open one. */
export function SettingsTabs({ tabs, parts }: SettingsTabsProps) {
  return (
    <>
      <LinkTabs scroll label="Settings" items={tabs} />
      {parts.length > 1 ? <LinkTabs scroll label="Parts" items={parts} /> : null}
    </>
  );
}

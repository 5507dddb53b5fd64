import type { ComplianceRule } from "~/content/industries";

/** Each rule with what it asks for and what is done about it. No badges: nobody is certified here. */
export function ComplianceList({ rules }: { rules: readonly ComplianceRule[] }) {
  return (
    <dl className="rules">
      {rules.map(({ name, asks, weDo }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <p>{asks}</p>
            <p className="muted">
              <b>What we do:</b> {weDo}
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

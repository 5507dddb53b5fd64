import type { ComplianceRule } from "~/content/industries";

/** Lists each rule with what it asks for and what is done about it. No badges: nobody is certified here. */
export function ComplianceList({ rules }: { rules: readonly ComplianceRule[] }) {
  return (
    <dl>
      {rules.map(({ name, asks, weDo }) => (
        <div
          key={name}
          className="grid grid-cols-[7rem_1fr] gap-x-8 gap-y-1 border-line-strong not-first:border-t pt-[1.1rem] pb-[1.2rem] first:pt-0 max-md:grid-cols-1"
        >
          <dt className="font-bold text-lg/[1.25] tracking-[-0.01em]">{name}</dt>
          <dd className="gap-8 lg:grid lg:grid-cols-2">
            <p>{asks}</p>
            <p className="text-ink-2">
              <b className="text-ink lg:block">What we do:</b> {weDo}
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

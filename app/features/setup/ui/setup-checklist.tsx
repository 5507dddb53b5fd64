type SetupChecklistProps = { steps: readonly { label: string; hint: string }[] };

/** What is not set up yet; gone when nothing is left. */
export function SetupChecklist({ steps }: SetupChecklistProps) {
  if (steps.length === 0) return null;
  return (
    <section className="sheet" aria-labelledby="setup-title">
      <h2 id="setup-title">Still to set up</h2>
      <ul className="steps-left">
        {steps.map(({ label, hint }) => (
          <li key={label}>
            <b>{label}</b>
            <span className="sub">{hint}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

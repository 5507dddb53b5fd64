import type { LegalText } from "~/content/legal";
import { RuledRow } from "./section-row";
import { SitePage } from "./site-page";

/** Its version is a day without a time or a zone. */
const dayOf = (version: string) =>
  new Date(version).toLocaleDateString("en-US", { timeZone: "UTC", year: "numeric", month: "long", day: "numeric" });

export function LegalProse({ text }: { text: LegalText }) {
  return (
    <SitePage title={text.title} lead={text.lead}>
      <RuledRow>
        <nav className="lg:sticky lg:top-26" aria-labelledby="contents">
          <h2 className="text-lg" id="contents">
            Contents
          </h2>
          <ol className="mt-3">
            {text.sections.map(({ id, title }) => (
              <li key={id}>
                <a className="inline-block py-1" href={`#${id}`}>
                  {title}
                </a>
              </li>
            ))}
          </ol>
          <p className="mt-4 text-ink-3 text-sm">
            In force since <time dateTime={text.version}>{dayOf(text.version)}</time>
          </p>
        </nav>
        <div>
          {text.sections.map(({ id, title, blocks }) => (
            <section key={id} className="not-first:mt-9" aria-labelledby={id}>
              <h2 className="text-xl" id={id}>
                {title}
              </h2>
              {blocks.map((block) => (
                <Block key={String(block)} block={block} />
              ))}
            </section>
          ))}
        </div>
      </RuledRow>
    </SitePage>
  );
}

function Block({ block }: { block: string | readonly string[] }) {
  if (typeof block === "string") return <p className="mt-3">{block}</p>;
  return (
    <ul className="mt-3 list-disc pl-[1.1rem]">
      {block.map((item) => (
        <li key={item} className="not-first:mt-[0.4rem] max-w-[66ch]">
          {item}
        </li>
      ))}
    </ul>
  );
}

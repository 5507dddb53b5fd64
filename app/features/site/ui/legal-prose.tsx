import type { LegalText } from "~/content/legal";
import { SitePage } from "./site-page";

/** The day a text came into force, for people. Its version is a day without a time or a zone. */
const dayOf = (version: string) =>
  new Date(version).toLocaleDateString("en-US", { timeZone: "UTC", year: "numeric", month: "long", day: "numeric" });

/** A legal text with its date and a list of contents. */
export function LegalProse({ text }: { text: LegalText }) {
  return (
    <SitePage title={text.title} lead={text.lead}>
      <div className="row ruled legal">
        <nav aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol>
            {text.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
          <p className="meta">
            In force since <time dateTime={text.version}>{dayOf(text.version)}</time>
          </p>
        </nav>
        <div className="prose">
          {text.sections.map(({ id, title, blocks }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {blocks.map((block) => (
                <Block key={String(block)} block={block} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </SitePage>
  );
}

function Block({ block }: { block: string | readonly string[] }) {
  if (typeof block === "string") return <p>{block}</p>;
  return (
    <ul>
      {block.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

import type { Industry } from "~/content/industries";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";

type IndustryFoldersProps = {
  industries: readonly Industry[];
  /** Names the level of the headings: "h2" where the folders are the page, which makes them larger. */
  heading?: "h2" | "h3";
};

/** Shows folders whose tab names the rule such an organization is asked about. The whole folder can be clicked. */
export function IndustryFolders({ industries, heading = "h3" }: IndustryFoldersProps) {
  return (
    <ul className="grid grid-cols-3 gap-x-5 gap-y-11 pt-2 max-md:grid-cols-1 max-md:gap-1 md:max-lg:grid-cols-2">
      {industries.map((industry) => (
        <Folder key={industry.slug} industry={industry} heading={heading} />
      ))}
    </ul>
  );
}

type FolderProps = { industry: Industry; heading: "h2" | "h3" };

/** Shows one folder. Its tab stands left, in the middle or right in turn; only left or right where two share a line. */
function Folder({ industry: { slug, title, rule, summary }, heading: Heading }: FolderProps) {
  const isLarge = Heading === "h2";
  return (
    <li
      className={cx(
        "group relative mt-[1.9rem] rounded-3 rounded-tl-none bg-folder px-[min(1.4rem,7vw)] has-[a:hover]:bg-canary-sheet forced-colors:border",
        "thirds:nth-[3n+2]:rounded-tl-3 thirds:nth-[3n]:rounded-tl-3 thirds:nth-[3n]:rounded-tr-none",
        "md:max-lg:even:rounded-tl-3 md:max-lg:even:rounded-tr-none",
        isLarge ? "pt-7 pb-9" : "pt-[1.4rem] pb-[1.6rem]",
      )}
    >
      <span
        className={cx(
          "absolute bottom-[calc(100%-1px)] left-0 min-h-[1.95rem] min-w-[44%] rounded-t-3 bg-inherit px-[0.9rem] pt-[0.42rem] text-ink-2 text-sm forced-colors:border",
          "thirds:group-nth-[3n]:right-0 thirds:group-nth-[3n+2]:left-[28%] thirds:group-nth-[3n]:left-auto",
          "md:max-lg:group-even:right-0 md:max-lg:group-even:left-auto",
        )}
      >
        {rule}
      </span>
      <Heading className={isLarge ? "text-xl" : undefined}>
        <Link className="after:absolute after:inset-0" to={`/industries/${slug}`}>
          {title}
        </Link>
      </Heading>
      <p className="mt-[0.6rem] text-base text-ink-2">{summary}</p>
    </li>
  );
}

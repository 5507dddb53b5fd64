import type { Question } from "~/content/faq";
import { Icon } from "~/ui/icon";
import { ChevronDown } from "~/ui/icons";

/**
 * Shows questions that open one at a time where the browser can. The answers are in the HTML, so a search in the page
 * finds them.
 */
export function FaqList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="[&_[open]_svg]:[rotate:180deg] [&_svg]:mt-[0.15rem] [&_svg]:[transition:rotate_0.2s]">
      {questions.map(({ question, answer }) => (
        // React 18 does not know the attribute in its types; the browser does.
        <details key={question} className="border-line-strong border-t last:border-b" {...{ name: "faq" }}>
          <summary className="wrap-anywhere flex cursor-pointer list-none justify-between gap-4 py-[1.05rem] font-bold text-lg/[1.25] tracking-[-0.01em] [&::-webkit-details-marker]:hidden">
            {question}
            <Icon of={ChevronDown} />
          </summary>
          <p className="pb-[1.35rem] text-ink-2">{answer}</p>
        </details>
      ))}
    </div>
  );
}

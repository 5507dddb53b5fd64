import { founder, founderSection } from "~/content/founder";
import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { Link } from "~/ui/link";
import { Exhibit } from "./exhibit";

/** Shows the founder's face and words; nothing while the content folder has none. */
export function FounderBlock() {
  const { founder: name } = useSiteBrand();
  if (!founder) return null;
  return (
    <Exhibit id="founder" title={founderSection.title} tag={null} width="seven">
      <div className="grid grid-cols-[9rem_1fr] items-center gap-6 max-md:grid-cols-1">
        <FounderPortrait />
        <div className="grid gap-4">
          <p className="font-semibold text-lg/[1.35]">“{founder.words}”</p>
          <p className="text-ink-2">
            {name ? <span className="block">{name}, founder</span> : null}
            <Link to="/why-us#story">{founderSection.link}</Link>
          </p>
        </div>
      </div>
    </Exhibit>
  );
}

/** Shows the founder's face alone; nothing while the content folder has none. */
export function FounderPortrait() {
  if (!founder) return null;
  const { alt, ...image } = founder.portrait;
  return <img className="mt-4 h-auto w-full max-w-48 rounded-3" loading="lazy" alt={alt} {...image} />;
}

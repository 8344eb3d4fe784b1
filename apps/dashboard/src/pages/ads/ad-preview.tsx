import type { AdReply } from "@assay/contract/ads.ts";
import type { Format, Placement } from "./ad-labels.ts";
import styles from "./ads.module.css";

function AdImage({ ad }: { ad: AdReply }) {
  return <img src={ad.creative.image_url} width={ad.image_width} height={ad.image_height} alt={ad.creative.headline} />;
}

const linkOf = (ad: AdReply) => ({ href: ad.creative.click_url, target: "_blank", rel: "noopener nofollow sponsored" });

function Banner({ ad }: { ad: AdReply }) {
  return (
    <figure className={styles.banner}>
      <a {...linkOf(ad)}><AdImage ad={ad} /></a>
      <figcaption>Ad · {ad.advertiser}</figcaption>
    </figure>
  );
}

function Native({ ad }: { ad: AdReply }) {
  const { headline, description, cta_text } = ad.creative;
  return (
    <article className={styles.native}>
      <AdImage ad={ad} />
      <div>
        <small>Sponsored by {ad.advertiser}</small>
        <h3>{headline}</h3>
        {description !== "" && <p>{description}</p>}
        <a className={styles.action} {...linkOf(ad)}>{cta_text}</a>
      </div>
    </article>
  );
}

function Interstitial({ ad }: { ad: AdReply }) {
  return (
    <article className={styles.interstitial}>
      <header><small>Ad · {ad.advertiser}</small><span aria-hidden="true">✕</span></header>
      <AdImage ad={ad} />
      <footer>
        <strong>{ad.creative.headline}</strong>
        <a className={styles.action} {...linkOf(ad)}>{ad.creative.cta_text}</a>
      </footer>
    </article>
  );
}

const layouts = { banner: Banner, native: Native, interstitial: Interstitial } satisfies Record<Format, unknown>;

/** The ad as an app would show it. */
export function AdPreview({ ad, format, placement }: { ad: AdReply; format: Format; placement: Placement }) {
  const Layout = layouts[format];
  return <div className={styles.stage} data-placement={placement}><Layout ad={ad} /></div>;
}

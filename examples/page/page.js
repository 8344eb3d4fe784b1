// Shows the back end's verdict and ads. The page does not know the key.

/** Strings become text nodes: an ad cannot inject markup. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function adElement(name, ad) {
  const { headline, description, image_url, cta_text, click_url } = ad.creative;
  const image = element("img", { src: image_url, width: ad.image_width, height: ad.image_height, alt: "" });
  const link = element("a", { href: click_url, target: "_blank", rel: "noopener sponsored" }, cta_text);
  return element(name, { className: "ad" }, element("small", {}, `Ad · ${ad.advertiser}`), image, element("h2", {}, headline), element("p", {}, description), link);
}

/** Reports an impression once, when half of the ad has been in view. */
function reportWhenSeen(shown, address) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      void fetch(address, { mode: "no-cors", keepalive: true });
    },
    { threshold: 0.5 },
  );
  observer.observe(shown);
}

function show(format, ad) {
  if (!ad) return;
  const shown = adElement(format === "interstitial" ? "dialog" : "aside", ad);
  shown.dataset.format = format;
  if (format === "interstitial") {
    shown.append(" ", element("button", { onclick: () => shown.close() }, "Close"));
    document.body.append(shown);
    shown.showModal();
  } else {
    document.querySelector(`#${format}`).replaceChildren(shown);
  }
  reportWhenSeen(shown, ad.impression_tracking_url);
}

/** What the collector has measured so far, for a request of our own. */
async function measure() {
  const { assayCollector } = window;
  // An ad blocker may have kept the collector away: the back end then has nothing, and says so.
  if (!assayCollector) return {};
  // Undefined unless Assay measures too; then it is brought up to date first, within two seconds.
  const session_token = await assayCollector.token();
  return { session_data: assayCollector.read(), session_token };
}

async function order() {
  const body = JSON.stringify(await measure());
  const answer = await fetch("/judge", { method: "POST", headers: { "content-type": "application/json" }, body });
  const { trust_level = "unknown", service_score, attestation, attestation_issues = [], ads = {} } = await answer.json();
  const verdict = document.querySelector("#verdict");
  for (const [format, ad] of Object.entries(ads)) show(format, ad);
  Object.assign(verdict.dataset, { score: service_score ?? "", attestation: attestation ?? "", issues: attestation_issues.join(" ") });
  verdict.value = trust_level;
}

document.querySelector("#more").addEventListener("click", () => history.pushState(null, "", `?page=${history.length}`));
document.querySelector("#order").addEventListener("click", () => void order());

import type { StatusReply } from "@assay/contract/operations.ts";

const count = new Intl.NumberFormat("en");

export function TierTable({ tiers }: { tiers: StatusReply["tiers"] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          <th scope="col">You earn per call</th>
          <th scope="col">Share</th>
          <th scope="col">Calls per hour</th>
          <th scope="col">Calls per minute</th>
        </tr>
      </thead>
      <tbody>
        {tiers.map((tier) => (
          <tr key={tier.name}>
            <th scope="row">{tier.name}</th>
            <td>{tier.earns_usd_per_call.toFixed(4)} USD</td>
            <td>{tier.share_percent}%</td>
            <td>{count.format(tier.per_hour)}</td>
            <td>{count.format(tier.per_minute)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

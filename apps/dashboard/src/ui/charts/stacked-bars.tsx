import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";

export type BarSeries = { name: string; label: string; color: string };
type Props = { bars: readonly Record<string, number | string>[]; series: readonly BarSeries[]; label: string; format: (value: number) => string };

/** Loaded lazily: the chart library is larger than the rest of the dashboard. */
export function StackedBars({ bars, series, label, format }: Props) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={260}
        data={bars as Record<string, number | string>[]}
        dataKey="start"
        type="stacked"
        series={[...series]}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: "bottom" }}
        valueFormatter={format}
        tickLine="none"
        gridAxis="x"
        maxBarWidth={32}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 64, allowDecimals: false }}
        xAxisProps={{ minTickGap: 24 }}
      />
    </div>
  );
}

import type { FastifyReply } from "fastify";
import type { Reports, ReportSource } from "../store/reports/report-source.ts";

export const asOfHeader = "Assay-Data-As-Of";

/** Answers with a report, and says how old it may be if it was read from a replica. */
export async function answerReport<Answer>(reply: Pick<FastifyReply, "header">, reports: Reports, read: (source: ReportSource) => Promise<Answer>): Promise<Answer> {
  const { answer, asOfMs } = await reports.read(read);
  if (asOfMs !== undefined) reply.header(asOfHeader.toLowerCase(), new Date(asOfMs).toISOString());
  return answer;
}

import type { FastifyRequest } from "fastify";
import { imageBytesMax } from "../../ads/campaigns/inspect-image.ts";
import { type CreativeInput, faultLine, validateCreative } from "../../ads/campaigns/validate-campaign.ts";
import { Failure } from "../../failure/failure.ts";

const fieldNames = ["format", "headline", "description", "cta_text", "landing_url"];
const fieldBytesMax = 16 * 1024;
const tooLarge = "The image is larger than 2 MiB.";
const notMultipart = "The form is not valid multipart/form-data.";

export type CreativeForm = { input: CreativeInput; image: Uint8Array | undefined };

/** Maps the multipart plugin's errors to failures. */
function toFailure(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "FST_REQ_FILE_TOO_LARGE":
      return new Failure("payload_too_large", tooLarge);
    case "FST_PARTS_LIMIT":
    case "FST_FILES_LIMIT":
    case "FST_FIELDS_LIMIT":
      return new Failure("invalid_request", "The form has too many parts for a creative.");
    case "FST_INVALID_MULTIPART_CONTENT_TYPE":
      return new Failure("unsupported_media_type", "Send the creative as multipart/form-data.");
    case "FST_PROTO_VIOLATION":
    case "FST_MP_PREMATURE_CLOSE":
      return new Failure("invalid_request", notMultipart);
    default:
      // The parser's own errors, such as that of a missing boundary, have a message only.
      return error instanceof Error && /multipart/i.test(error.message) ? new Failure("invalid_request", notMultipart, error.message) : error;
  }
}

/** Reads a creative's texts from fields and its image from a file. Stops reading at the first part beyond a limit. */
export async function readCreativeForm(request: FastifyRequest): Promise<CreativeForm> {
  const fields: Record<string, unknown> = {};
  let image: Buffer | undefined;
  try {
    const limits = { fileSize: imageBytesMax, files: 1, fields: fieldNames.length, fieldSize: fieldBytesMax, parts: fieldNames.length + 1 };
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") {
        if (part.fieldname !== "image") throw new Failure("invalid_request", "The file's field must be named image.");
        image = await part.toBuffer();
      } else if (part.valueTruncated) throw new Failure("invalid_request", `${fieldNames.find((name) => name === part.fieldname) ?? "A field"} is too long`);
      else fields[part.fieldname] = part.value;
    }
  } catch (error) {
    throw toFailure(error);
  }
  const validated = validateCreative(fields);
  if (validated.kind === "invalid") throw new Failure("invalid_request", validated.faults.map(faultLine).join("; "));
  // A file input without a chosen file sends an empty file.
  return { input: validated.value, image: image !== undefined && image.length > 0 ? image : undefined };
}

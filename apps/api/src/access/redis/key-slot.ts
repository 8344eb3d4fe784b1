/** The slot of a key in Redis Cluster: CRC16 (XMODEM) of the key, or of its hash tag if that is not empty, modulo 16384. */
export const slotCount = 16_384;

const polynomial = 0x1021;
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1;
  return crc & 0xffff;
});

function hashedPart(key: string): string {
  const open = key.indexOf("{");
  const close = open === -1 ? -1 : key.indexOf("}", open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : key;
}

export function keySlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(hashedPart(key))) crc = ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ byte]!;
  return crc % slotCount;
}

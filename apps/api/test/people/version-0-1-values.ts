/** Values that version 0.1 wrote with the package better-auth 1.7.7, with the secret that tests share. */
export const oldCookie = "Sx23KqTXznutqZRLGMNLtjHEbRIdYjxN.OPd9GFvgS11Opz9t7phH0id9x%2B%2BauootGjIpG3agqTo%3D";
export const oldToken = "Sx23KqTXznutqZRLGMNLtjHEbRIdYjxN";
export const oldFactor = {
  secret:
    "d3863c8de90620304fbc25c165a1dae2390ddb9b9f5c8507f341a657c64cf36b546d04c600c02341ab48298ed77c9b97cec5e5569fc30af0a2b17dee02a17db5f50532c5edcec25d",
  recovery_codes:
    "9f49220c1328a51943711ff9f50d04a75d4ead70261b2a5c9b9c8426ab97f3b5f33f528d5af28f0ee165994c7b3da6f3f31f2a1e1d3448c7d1e3216feef2a816ff8af17f070768506f4297ed25299ff87592d6bae25a0cd471edc79f9f2e8a903cfab511a21a9e2955f0a57e37953fe4f091698cc328d83e0798bb611dbc4551f0db4b25ebb4395e664bedbbeaf5a37ea42973eef55696a2011d364b0a39110cd50615493f2406637ab40ec0617d28b61f23028d9e",
};
export const oldSecret = "ix2-0jUr-gTehICMNvErjmyGILw10YS-";
export const oldCodes = ["nx8nA-R1Wpl", "FQgc9-4caDR", "0VI5D-n4vh0", "RN7Q9-6tzsU", "JOFo5-JFuNl", "ggeHx-bW55Z", "qdbLX-yZSMB", "2LBcL-MF6Av", "zeSFU-jgZtk", "ywQhM-JNumN"];

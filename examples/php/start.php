<?php

// Starts the shop with PHP's own web server:
//   ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… php start.php
// PORT is 3000 unless it is set; 0 means any free port. That server is for trying things out, and answers one request after
// the other: with a web server and PHP-FPM, server.php stays the same.

declare(strict_types=1);

foreach (['ASSAY_URL', 'ASSAY_API_KEY'] as $name) {
    getenv($name) !== false || exit("$name must be set.\n");
}
$port = (int) (getenv('PORT') === false ? 3000 : getenv('PORT'));
if ($port === 0) {
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
    fclose($socket);
}

// PHP forgets everything after a request: the last reports of visits are in a file that only we can read.
$reports = tempnam(sys_get_temp_dir(), 'shop');
$environment = ['SHOP_REPORTS' => $reports] + getenv();
$command = [PHP_BINARY, '-d', 'display_errors=0', '-d', 'log_errors=1', '-q', '-S', "127.0.0.1:$port", __DIR__ . '/server.php'];
$server = proc_open($command, [STDIN, STDOUT, STDERR], $pipes, __DIR__, $environment);

$isAsked = false;
if (function_exists('pcntl_signal')) {
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM] as $signal) {
        pcntl_signal($signal, function () use (&$isAsked): void {
            $isAsked = true;
        });
    }
}
$isOpen = false;
while (!$isAsked && proc_get_status($server)['running']) {
    if (!$isOpen && ($connection = @fsockopen('127.0.0.1', $port)) !== false) {
        fclose($connection);
        $isOpen = true;
        echo "The shop is open at http://127.0.0.1:$port\n";
    }
    usleep(50_000);
}
proc_terminate($server);
proc_close($server);
unlink($reports);

<?php

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/Ringfence.php';
require_once __DIR__ . '/../src/SignIn.php';

final class FailingTest extends TestCase {
    use Ringfence\WithSandbox;

    public function testFails(): void {
        $this->sandbox()->fail('text-lost');
        $this->sandbox()->useEnv();
        (new SignIn())->send('+12025550100');
        $this->sandbox()->code('+12025550100', within: 1);
    }

    public function testIsMisspelt(): void {
        $this->sandbox()->fail('text-lots');
    }
}

console.log("kernel: no source yet")

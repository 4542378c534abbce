import ArgumentParser
struct R: ParsableCommand { func run() { print(1) } }
R.main()

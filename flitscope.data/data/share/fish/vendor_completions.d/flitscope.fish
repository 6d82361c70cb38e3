# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_flitscope_global_optspecs
    string join \n rate= load= seed= routes= set= against= against-set= theme= color= palette= ascii= marker= layout= fps= mouse= no-mouse history= pace= window= out= config= print-config print-keys plain every= cycles= record= record-format= record-idle-limit= force welcome h/help V/version
end

function __fish_flitscope_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_flitscope_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_flitscope_using_subcommand
    set -l cmd (__fish_flitscope_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c flitscope -n "__fish_flitscope_needs_command" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l against -d 'Compare with another scenario of the same network, run at the same rate with the same seed' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l against-set -d 'Compare with the same scenario (or that of --against) with this field set: `--against-set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l theme -d 'Colours for a dark or a light background, for eyes that see fewer hues, none, or a theme of your configuration [default: auto]' -r -f -a "auto\t'The terminal is asked'
dark\t'Dark'
light\t'Light'
mono\t'No colour'
deuteranopia\t'Blue and orange, for eyes that confuse red and green (protanopia too)'
tritanopia\t'Red and teal, for eyes that confuse blue and green, yellow and violet'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l color -d 'The number of colours that the terminal can show [default: auto]' -r -f -a "auto\t'As many as the environment promises'
never\t'None'
16\t'The terminal\'s own 16'
256\t'256'
truecolor\t'Any'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l palette -d 'The colours of heat [default: those of the theme]' -r -f -a "auto\t'Those of the theme'
viridis\t'From violet over green to yellow'
cividis\t'From blue over grey to yellow, for eyes that see fewer hues'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l ascii -d 'Draw with ASCII characters only [default: as the locale says]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_needs_command" -l marker -d 'The characters of lines between switches [default: braille]' -r -f -a "braille\t'The dots of braille characters'
strokes\t'Strokes, for fonts without braille'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l layout -d 'The arrangement of the panes [default: balanced]' -r -f -a "balanced\t'Something of everything'
network\t'The network large'
statistics\t'Figures and charts large'
teaching\t'Histogram and curve large'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l fps -d 'Frames per second, at most [default: 30]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l mouse -d 'Take the mouse [default: true]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_needs_command" -l history -d 'Memory for going back in time, in megabytes [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l pace -d 'Cycles per second (of circuits: units of time), `natural` or `max` [default: natural]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l window -d 'Cycles over which the utilisation is averaged [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l out -d 'The folder of the results of a study\'s file, which is made if need be' -r -F
complete -c flitscope -n "__fish_flitscope_needs_command" -l config -d 'The configuration file [default: `$FLITSCOPE_CONFIG`, else flitscope/config.ron in `$XDG_CONFIG_HOME` or ~/.config]' -r -F
complete -c flitscope -n "__fish_flitscope_needs_command" -l every -d 'A line every N cycles [default: 1000; of circuits 10 units of time]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l cycles -d 'End after N cycles (of circuits: units of time) [default: at a deadlock, or never]' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l record -d 'Record the screen into this file, an asciicast' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l record-format -d 'The version of the asciicast format' -r -f -a "v3\t'For asciinema 3 and its player'
v2\t'For older players'"
complete -c flitscope -n "__fish_flitscope_needs_command" -l record-idle-limit -d 'Players shorten longer rests to this many seconds' -r
complete -c flitscope -n "__fish_flitscope_needs_command" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c flitscope -n "__fish_flitscope_needs_command" -l print-config -d 'Print the configuration in force as such a file, and do nothing else'
complete -c flitscope -n "__fish_flitscope_needs_command" -l print-keys -d 'Print the keys as they are bound, with the names of what they do, and do nothing else'
complete -c flitscope -n "__fish_flitscope_needs_command" -l plain -d 'No screen: a line of text now and then, for screen readers and logs (so too where TERM=dumb). Without --pace one line per second on a terminal, else as fast as the machine can'
complete -c flitscope -n "__fish_flitscope_needs_command" -l force -d 'Replace the recording, if it exists; without this it is left as it is, and the status is 2'
complete -c flitscope -n "__fish_flitscope_needs_command" -l welcome -d 'Say first what this is, as at the very first start'
complete -c flitscope -n "__fish_flitscope_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_needs_command" -s V -l version -d 'Print version'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "tour" -d 'Learn by doing: stops of a few minutes each, from a worm to saturation'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "simulate" -d 'Run scenarios without the screen and print what was measured, or which value of a field is best (--rank)'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "sweep" -d 'Run a scenario at many loads and with many values of its fields, into tables and plots'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "replay" -d 'Make the run of a saved session again, without the screen'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "predict" -d 'Say what the models predict, term by term'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "check" -d 'Say whether scenarios are correct'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "network" -d 'Print the network of a scenario, or a network file, in a format of other programs'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "import" -d 'Convert a trace of another program to a table of messages'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "route" -d 'Find short, balanced and deadlock-free routes for any network'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "reproduce" -d 'Run the tables, figures and claims of papers again'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "record" -d 'Make a recording of the screen from a script of keys, without a terminal'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "scenarios" -d 'List the scenarios built in, or print one'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "guide" -d 'Print a topic of the guide, or list the topics'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "completions" -d 'Print the completions for a shell'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "man" -d 'Print the manual page, or write those of all commands'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "bench-case" -d 'Run one case of the speed measurements and print its flit-hops'
complete -c flitscope -n "__fish_flitscope_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l theme -d 'Colours for a dark or a light background, for eyes that see fewer hues, none, or a theme of your configuration [default: auto]' -r -f -a "auto\t'The terminal is asked'
dark\t'Dark'
light\t'Light'
mono\t'No colour'
deuteranopia\t'Blue and orange, for eyes that confuse red and green (protanopia too)'
tritanopia\t'Red and teal, for eyes that confuse blue and green, yellow and violet'"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l color -d 'The number of colours that the terminal can show [default: auto]' -r -f -a "auto\t'As many as the environment promises'
never\t'None'
16\t'The terminal\'s own 16'
256\t'256'
truecolor\t'Any'"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l palette -d 'The colours of heat [default: those of the theme]' -r -f -a "auto\t'Those of the theme'
viridis\t'From violet over green to yellow'
cividis\t'From blue over grey to yellow, for eyes that see fewer hues'"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l ascii -d 'Draw with ASCII characters only [default: as the locale says]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l marker -d 'The characters of lines between switches [default: braille]' -r -f -a "braille\t'The dots of braille characters'
strokes\t'Strokes, for fonts without braille'"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l layout -d 'The arrangement of the panes [default: balanced]' -r -f -a "balanced\t'Something of everything'
network\t'The network large'
statistics\t'Figures and charts large'
teaching\t'Histogram and curve large'"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l fps -d 'Frames per second, at most [default: 30]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l mouse -d 'Take the mouse [default: true]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l history -d 'Memory for going back in time, in megabytes [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l pace -d 'Cycles per second (of circuits: units of time), `natural` or `max` [default: natural]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l window -d 'Cycles over which the utilisation is averaged [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l list -d 'List the stops, and do nothing else'
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l print -d 'Print the text of the stop, and do nothing else'
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l check -d 'Play the stop by its own keys, without a terminal, and say whether its tasks can be done'
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c flitscope -n "__fish_flitscope_using_subcommand tour" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l against -d 'Compare with another scenario of the same network, run at the same rate with the same seed' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l against-set -d 'Compare with the same scenario (or that of --against) with this field set: `--against-set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l rank -d 'Rank the values of a field by latency under the same messages: `--rank routing` takes all that can be run here, `--rank routing=DimensionOrder,OddEven` these [default of each: 8 replications of 50000 to 200000 messages]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l messages -d 'End when N messages have been counted after the warm-up in each run (with --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l precision -d 'End when the 95 % interval of the latency is this narrow: half width divided by mean; with --replications that of all together, which then go on side by side [default: 0.01, if neither messages nor cycles are given]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l cycles -d 'End after N cycles (circuits: units of time), saturated or not (with --messages or --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l warm-up -d 'Leave out what was generated in the first N cycles (circuits: units of time), and run on at the end until what was generated since is delivered, for at most as long again or 10,000 cycles [default: found from the data]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l replications -d 'Make N independent runs of each scenario, and one result of all' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l jobs -d 'Runs at a time [default: one per core]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l messages-to -d 'Write a line for every message to this file, warm-up included, those not delivered last: CSV, or one JSON object per line if its name ends in `.json` or `.jsonl`; Chrome trace JSON of delivered messages, which opens in Perfetto, if it ends in `.trace.json`. `arrivals: Replay(File("..."))` sends the messages of a CSV again' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l links-to -d 'Write a line for every channel and each of its VCs to this file, in the same formats: flits, shares of the time and waits since the warm-up, beside what routing alone would load it with' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -l force -d 'Replace these files, if they exist; without this they are left as they are, and the status is 2'
complete -c flitscope -n "__fish_flitscope_using_subcommand simulate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l loads -d 'The loads, flits per node and cycle: `0.1,0.2`, or the first, the last and how many, as in `0.02:0.3:9` [default: that of the scenario]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l of-saturation -d 'Search where each curve saturates, and then run these shares of it: `0.25,0.5,0.9`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l bracket -d 'Search until the loads between which a curve saturates are apart by this share [default: 0.02]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l seeds -d 'Run every load with each of these seeds, and take the results together: `1,2,3`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l vary -d 'A field and its values, a curve for each: `--vary routing=\'[DimensionOrder(), WestFirst()]\'`; may be repeated, and then every value is run with every one. Fields that go together: `--vary \'routing, seed=[(WestFirst(), 1), (OddEven(), 2)]\'`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l messages -d 'End when N messages have been counted after the warm-up in each run (with --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l precision -d 'End when the 95 % interval of the latency is this narrow: half width divided by mean; with --replications that of all together, which then go on side by side [default: 0.01, if neither messages nor cycles are given]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l cycles -d 'End after N cycles (circuits: units of time), saturated or not (with --messages or --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l warm-up -d 'Leave out what was generated in the first N cycles (circuits: units of time), and run on at the end until what was generated since is delivered, for at most as long again or 10,000 cycles [default: found from the data]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l replications -d 'Make N independent runs of each scenario, and one result of all' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l jobs -d 'Runs at a time [default: one per core]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l budget -d 'Begin no point after this time, give back what runs then, and end with status 75 if points are missing still: `30m`, `1h30m`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l lease-seconds -d 'Seconds after which a point is taken from a program that does not renew its lease' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l out -d 'The folder of the results; points that it has are not run again' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l auto -d 'Search where each curve saturates, and choose the loads so that a straight line between two points errs by less than their intervals'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l from-above -d 'Search from above too, with runs that begin congested: where a congested network stays so, it carries less than one that never was'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l quick -d 'Fewer points and shorter runs, where a study\'s file says which'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l force -d 'Replace another study in the folder; its results are left'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l no-run -d 'Begin the folder, and run nothing: for other machines, or a cluster'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l write-study -d 'Print the study as a file, and run nothing'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -l png -d 'Draw the figures in pixels too, as PNG'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "run" -d 'Run what is missing in a folder, or a part of it, or points of a study\'s file'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "plan" -d 'Make the next round of a study whose loads are searched, once the present one is finished, and say how many points are to be run'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "status" -d 'Say how far a folder is, and which files in it are no results of its study'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "missing" -d 'Print the numbers of the missing points, as `sbatch --array=` takes them: `3,7-9`'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "merge" -d 'Make the tables of the results that are there, and print them; with other folders named behind, copy their results first'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "plot" -d 'Draw the results that are there, each figure with its points as CSV'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "report" -d 'Write tables, figures and where they are from into one page, `report.html`'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "slurm" -d 'Write the missing points as a job array for Slurm, or hand it over'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and not __fish_seen_subcommand_from run plan status missing merge plot report slurm help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l point -d 'Only these points, by their numbers: `3,7-9`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l shard -d 'Only one of N equal parts, from 1: `1/4`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l index -d 'Only one of several equal parts, from 0, as array jobs are numbered (with --of)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l of -d 'The number of equal parts (with --index)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l jobs -d 'Runs at a time [default: one per core]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l budget -d 'Begin no point after this time, give back what runs then, and end with status 75 if points are missing still: `30m`, `1h30m`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l lease-seconds -d 'Seconds after which a point is taken from a program that does not renew its lease' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -l png -d 'Draw the figures in pixels too, as PNG'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from plan" -l format -d 'The form in which the round is printed' -r -f -a "table\t'For people'
json\t'One JSON object'"
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from status" -l format -d 'The form in which the status is printed' -r -f -a "table\t'For people'
json\t'One JSON object'"
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from missing" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from merge" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from merge" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from merge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from plot" -l png -d 'Draw the figures in pixels too, as PNG'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from plot" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from plot" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from report" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from report" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l per-task -d 'Points of a task; more, where there would be over 1000 tasks' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l throttle -d 'Tasks at a time' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l cpus -d 'Cores of a task, and runs at a time in it' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l time -d 'The time limit of a task, as `sbatch --time` takes it; what runs a minute before it is given back' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l sbatch -d 'Another option for `sbatch`: `--sbatch=--partition=long`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l past -d 'Hand over only if more points than this are done, so that a chain of jobs comes to an end' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -l submit -d 'Hand the array over, and behind it a job that makes the tables, plans the next round and hands that over'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from slurm" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "run" -d 'Run what is missing in a folder, or a part of it, or points of a study\'s file'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "plan" -d 'Make the next round of a study whose loads are searched, once the present one is finished, and say how many points are to be run'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "status" -d 'Say how far a folder is, and which files in it are no results of its study'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "missing" -d 'Print the numbers of the missing points, as `sbatch --array=` takes them: `3,7-9`'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "merge" -d 'Make the tables of the results that are there, and print them; with other folders named behind, copy their results first'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "plot" -d 'Draw the results that are there, each figure with its points as CSV'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "report" -d 'Write tables, figures and where they are from into one page, `report.html`'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "slurm" -d 'Write the missing points as a job array for Slurm, or hand it over'
complete -c flitscope -n "__fish_flitscope_using_subcommand sweep; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand replay" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand replay" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l messages -d 'End when N messages have been counted after the warm-up in each run (with --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l precision -d 'End when the 95 % interval of the latency is this narrow: half width divided by mean; with --replications that of all together, which then go on side by side [default: 0.01, if neither messages nor cycles are given]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l cycles -d 'End after N cycles (circuits: units of time), saturated or not (with --messages or --precision: at most N)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l warm-up -d 'Leave out what was generated in the first N cycles (circuits: units of time), and run on at the end until what was generated since is delivered, for at most as long again or 10,000 cycles [default: found from the data]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l replications -d 'Make N independent runs of each scenario, and one result of all' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l jobs -d 'Runs at a time [default: one per core]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l channels -d 'Also what the model says of every channel: flow, waits, how often its buffer is full, how long worms hold it (for models that know it)'
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l bound -d 'Instead, the longest that messages between any two nodes can take, where token buckets limit what sources send: no run exceeds it'
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -l beside-run -d 'Also make a run, to the end that the options under Runs give, and say which models it contradicts by more than their stated errors, and the likely reason'
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand predict" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l pairs -d 'Prove for messages between the pairs of this file only: CSV with `source,destination`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l witness -d 'Write messages that close the cycle of a failed proof to this file: as a table in CSV, which `arrivals: Replay(File("..."))` sends, or, if its name ends in `.ron`, as a session of the deadlocked run, which `flitscope FILE` opens' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -l force -d 'Replace the file of `--witness`, if it exists'
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l to -d 'The format to print' -r -f -a "csv\t'An edge list'
graphml\t'GraphML, for NetworkX and many others'
json\t'Node-link JSON, for NetworkX'
dot\t'A graph of Graphviz, for drawing'"
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand network" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and not __fish_seen_subcommand_from goal noxim help" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and not __fish_seen_subcommand_from goal noxim help" -f -a "goal" -d 'A trace in GOAL, the text of `LogGOPSim`: `send`, `recv`, `calc`, `requires` and `irequires` of ranks'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and not __fish_seen_subcommand_from goal noxim help" -f -a "noxim" -d 'A traffic table of Noxim: rates between nodes, with the times at which they count'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and not __fish_seen_subcommand_from goal noxim help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -s o -l output -d 'Write the table of messages to this file, for `arrivals: Replay(File("..."))` [default: print it]' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l flit-bytes -d 'Bytes of a flit' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l clock-ghz -d 'Cycles of the network in a nanosecond, for the times of `calc`' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l packet-flits -d 'Divide longer messages into packets of this length in flits [default: none are]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l eager-bytes -d 'Messages up to this length are complete for their senders when they are sent, and longer messages when they are delivered' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l nodes -d 'The nodes of the ranks from 0 on, by name or number, one a line [default: the nodes of the same numbers]' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -l force -d 'Replace the file, if it exists; without this it is left as it is, and the status is 2'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from goal" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -s o -l output -d 'Write the table of messages to this file, for `arrivals: Replay(File("..."))` [default: print it]' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -l cycles -d 'Cycles for which messages are drawn' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -l flits -d 'Flits of a message' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -l seed -d 'Seed of the draws' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -l force -d 'Replace the file, if it exists; without this it is left as it is, and the status is 2'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from noxim" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from help" -f -a "goal" -d 'A trace in GOAL, the text of `LogGOPSim`: `send`, `recv`, `calc`, `requires` and `irequires` of ranks'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from help" -f -a "noxim" -d 'A traffic table of Noxim: rates between nodes, with the times at which they count'
complete -c flitscope -n "__fish_flitscope_using_subcommand import; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l vcs -d 'Virtual channels that the routes may use: more of them make routes shorter' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -s o -l output -d 'Write the routes to this file, as CSV for `routing: Table(routes: File(...))`' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -l force -d 'Replace the file, if it exists; without this it is left as it is, and the status is 2'
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand route" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l seed -d 'The seed of all random choices; another one makes another, independent batch' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l seeds -d 'Batches, under this many seeds from --seed on, and a summary over them' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l out -d 'The folder of tables, pictures and finished points; points found there are not run again' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l threads -l jobs -d 'Runs at a time [default: one per core]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l format -d 'The format of results' -r -f -a "table\t'For people'
csv\t'Comma-separated values, one line per result'
json\t'One JSON object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l quick -d 'Fewer points and shorter runs'
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -l list -d 'List what can be run again'
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -s q -l quiet -d 'No progress and no remarks on standard error'
complete -c flitscope -n "__fish_flitscope_using_subcommand reproduce" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l keys -d 'The script of keys, a file or `-` for standard input' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l demo -d 'A demonstration that comes with the program' -r -f -a "curve\t''
deadlock\t''
hotspot\t''"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -s o -l output -d 'The file of the film: an animated picture if it ends in .svg, else an asciicast; `-` is standard output' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l size -d 'Columns and rows [default: those of the script, or 120x40]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l stills -d 'The folder below which the script may write: stills, and what its keys save [default: that of the recording]; with --force, stills there are replaced. A demonstration makes stills only where this is given' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l rate -d 'Messages per node and cycle' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l load -d 'Flits per node and cycle (instead of a rate)' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l seed -d 'The seed of all random choices' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l routes -d 'Follow the routing table of this file instead of the routing of the scenario' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l set -d 'Set any field: `--set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l against -d 'Compare with another scenario of the same network, run at the same rate with the same seed' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l against-set -d 'Compare with the same scenario (or that of --against) with this field set: `--against-set routing.escape=Dateline`; may be repeated' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l theme -d 'Colours for a dark or a light background, for eyes that see fewer hues, none, or a theme of your configuration [default: auto]' -r -f -a "auto\t'The terminal is asked'
dark\t'Dark'
light\t'Light'
mono\t'No colour'
deuteranopia\t'Blue and orange, for eyes that confuse red and green (protanopia too)'
tritanopia\t'Red and teal, for eyes that confuse blue and green, yellow and violet'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l color -d 'The number of colours that the terminal can show [default: auto]' -r -f -a "auto\t'As many as the environment promises'
never\t'None'
16\t'The terminal\'s own 16'
256\t'256'
truecolor\t'Any'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l palette -d 'The colours of heat [default: those of the theme]' -r -f -a "auto\t'Those of the theme'
viridis\t'From violet over green to yellow'
cividis\t'From blue over grey to yellow, for eyes that see fewer hues'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l ascii -d 'Draw with ASCII characters only [default: as the locale says]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l marker -d 'The characters of lines between switches [default: braille]' -r -f -a "braille\t'The dots of braille characters'
strokes\t'Strokes, for fonts without braille'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l layout -d 'The arrangement of the panes [default: balanced]' -r -f -a "balanced\t'Something of everything'
network\t'The network large'
statistics\t'Figures and charts large'
teaching\t'Histogram and curve large'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l fps -d 'Frames per second, at most [default: 30]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l mouse -d 'Take the mouse [default: true]' -r -f -a "true\t''
false\t''"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l history -d 'Memory for going back in time, in megabytes [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l pace -d 'Cycles per second (of circuits: units of time), `natural` or `max` [default: natural]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l window -d 'Cycles over which the utilisation is averaged [default: 256]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l record-format -d 'The version of the asciicast format' -r -f -a "v3\t'For asciinema 3 and its player'
v2\t'For older players'"
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l record-idle-limit -d 'Players shorten longer rests to this many seconds' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l print-script -d 'Print the script and make no film: a beginning for one with words of your own'
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -l force -d 'Replace the recording, if it exists; without this it is left as it is, and the status is 2'
complete -c flitscope -n "__fish_flitscope_using_subcommand record" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand scenarios" -l format -d 'The notation of the scenario printed, or of the list' -r -f -a "ron\t'As in the files that come with the program [default]'
json\t'JSON of the schema; the list as an object per line'"
complete -c flitscope -n "__fish_flitscope_using_subcommand scenarios" -l schema -d 'Print a JSON schema of scenarios'
complete -c flitscope -n "__fish_flitscope_using_subcommand scenarios" -l fields -d 'Print a table of all fields and values, in Markdown'
complete -c flitscope -n "__fish_flitscope_using_subcommand scenarios" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand guide" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flitscope -n "__fish_flitscope_using_subcommand completions" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand man" -l command -d 'The page of a command [default: that of the program]' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand man" -l out -d 'Write all pages into a directory, which must be there' -r -F
complete -c flitscope -n "__fish_flitscope_using_subcommand man" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand bench-case" -l cycles -d 'Cycles to simulate' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand bench-case" -l history -d 'Keep checkpoints for going back, in this many megabytes' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand bench-case" -l back -d 'Then go back this many cycles, and say on standard error how long it took' -r
complete -c flitscope -n "__fish_flitscope_using_subcommand bench-case" -s h -l help -d 'Print help'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "tour" -d 'Learn by doing: stops of a few minutes each, from a worm to saturation'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "simulate" -d 'Run scenarios without the screen and print what was measured, or which value of a field is best (--rank)'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "sweep" -d 'Run a scenario at many loads and with many values of its fields, into tables and plots'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "replay" -d 'Make the run of a saved session again, without the screen'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "predict" -d 'Say what the models predict, term by term'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "check" -d 'Say whether scenarios are correct'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "network" -d 'Print the network of a scenario, or a network file, in a format of other programs'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "import" -d 'Convert a trace of another program to a table of messages'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "route" -d 'Find short, balanced and deadlock-free routes for any network'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "reproduce" -d 'Run the tables, figures and claims of papers again'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "record" -d 'Make a recording of the screen from a script of keys, without a terminal'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "scenarios" -d 'List the scenarios built in, or print one'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "guide" -d 'Print a topic of the guide, or list the topics'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "completions" -d 'Print the completions for a shell'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "man" -d 'Print the manual page, or write those of all commands'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "bench-case" -d 'Run one case of the speed measurements and print its flit-hops'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and not __fish_seen_subcommand_from tour simulate sweep replay predict check network import route reproduce record scenarios guide completions man bench-case help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "run" -d 'Run what is missing in a folder, or a part of it, or points of a study\'s file'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "plan" -d 'Make the next round of a study whose loads are searched, once the present one is finished, and say how many points are to be run'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "status" -d 'Say how far a folder is, and which files in it are no results of its study'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "missing" -d 'Print the numbers of the missing points, as `sbatch --array=` takes them: `3,7-9`'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "merge" -d 'Make the tables of the results that are there, and print them; with other folders named behind, copy their results first'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "plot" -d 'Draw the results that are there, each figure with its points as CSV'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "report" -d 'Write tables, figures and where they are from into one page, `report.html`'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from sweep" -f -a "slurm" -d 'Write the missing points as a job array for Slurm, or hand it over'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from import" -f -a "goal" -d 'A trace in GOAL, the text of `LogGOPSim`: `send`, `recv`, `calc`, `requires` and `irequires` of ranks'
complete -c flitscope -n "__fish_flitscope_using_subcommand help; and __fish_seen_subcommand_from import" -f -a "noxim" -d 'A traffic table of Noxim: rates between nodes, with the times at which they count'
